"""Where the data of NVIDIA's traces and of recorded programs are."""

# Of these presets not in <preset>/ and oracle/<preset>/.
OTHERS = {"nv_full": ("nv_full_v1", "oracle/v1/layers")}


def traces(conformance, preset):
    """Folder of the published traces, a folder each; it may be missing."""
    return conformance / OTHERS.get(preset, (preset,))[0]


def vectors(conformance, preset):
    """Folders of recorded programs, a folder per category; none may be there."""
    where = OTHERS.get(preset, ("", f"oracle/{preset}"))[1]
    return sorted(path for path in (conformance / where).glob("*") if path.is_dir())


def loadables(conformance, preset):
    """What a published driver writes for published and compiled networks; none may be there."""
    suffix = {"nv_small": "small", "nv_large": "large", "nv_full": "full"}.get(preset)
    sizes = ("small", "large", "full")
    found = []
    for path in sorted((conformance / "loadables").glob("*.cfg")):
        named = [size for size in sizes if size in path.stem.replace(".", "_").split("_")]
        if (named or ["full"]) == [suffix]:
            found.append(path)
    return found
