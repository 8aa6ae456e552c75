#include "emit/write.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "emit/manifest.hpp"

namespace macrame::emit {
namespace {

Design any_design() {
    const Family& family = *all_families().front();
    return {family, "any", family.defaults};
}

namespace fs = std::filesystem;

class Folder : public testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::path(testing::TempDir()) /
                  testing::UnitTest::GetInstance()->current_test_info()->name();
        fs::remove_all(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    std::string read(const std::string& path) const {
        std::ifstream in(folder_ / path, std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(in), {});
    }
    void put(const std::string& path, const std::string& bytes) const {
        fs::create_directories((folder_ / path).parent_path());
        std::ofstream(folder_ / path, std::ios::binary) << bytes;
    }
    /// All files below the folder, hidden ones, too.
    std::map<std::string, std::string> contents() const {
        std::map<std::string, std::string> result;
        if (!fs::exists(folder_)) return result;
        for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
            const std::string path = fs::relative(entry.path(), folder_).string();
            result[path] = entry.is_regular_file() ? read(path) : "folder";
        }
        return result;
    }
    static OutputSet set(const std::string& a, const std::string& b) {
        OutputSet result;
        result.add("x/a.txt", a);
        result.add("b.txt", b);
        return result;
    }
    static OutputSet with_manifest(OutputSet files) {
        files.add(kManifest, manifest(any_design(), files));
        return files;
    }
    WriteReport write(const OutputSet& files) const {
        WriteReport report;
        const auto lock = FolderLock::take(folder_, report.diags);
        return lock == nullptr ? report : emit::write(files, *lock);
    }
    /// The one message of a run that changed nothing; the folder is written as DIR.
    std::string refused(const OutputSet& files) const {
        const auto before = contents();
        const WriteReport report = write(files);
        EXPECT_EQ(report.written, 0);
        EXPECT_EQ(report.removed, 0);
        EXPECT_EQ(contents(), before);
        if (report.diags.size() != 1) return "want one message";
        std::string text = report.diags[0].text;
        const std::size_t at = text.find(folder_.string());
        return at == text.npos ? text : text.replace(at, folder_.string().size(), "DIR");
    }

    fs::path folder_;
};

TEST_F(Folder, WritesChangedFilesOnly) {
    WriteReport report = write(set("1", "2"));
    EXPECT_EQ(report.written, 2);
    EXPECT_EQ(read("x/a.txt"), "1");
    const auto old = fs::last_write_time(folder_ / "x/a.txt") - std::chrono::hours(1);
    fs::last_write_time(folder_ / "x/a.txt", old);
    report = write(set("1", "3"));
    EXPECT_EQ(report.written, 1);
    EXPECT_EQ(report.unchanged, 1);
    EXPECT_EQ(fs::last_write_time(folder_ / "x/a.txt"), old);
    EXPECT_EQ(read("b.txt"), "3");
    EXPECT_EQ(contents().size(), 3u);  // no lock, no temporary files
}

TEST_F(Folder, AnErrorLeavesTheFolderAsItWas) {
    write(set("1", "2"));
    OutputSet broken = set("8", "9");
    broken.add("x/a.txt/below_a_file", "7");
    EXPECT_EQ(refused(broken), "DIR/x/a.txt: not a folder: want a folder");
    put("x/c.txt/file", "");
    OutputSet folder_in_the_way = set("8", "9");
    folder_in_the_way.add("x/c.txt", "7");
    EXPECT_EQ(refused(folder_in_the_way), "DIR/x/c.txt: a folder: want a file");
}

TEST_F(Folder, AFolderThatCouldNotBeUsedIsNotLeftBehind) {
    OutputSet broken = set("1", "2");
    broken.add("b.txt/below_a_file", "7");
    EXPECT_FALSE(write(broken).diags.empty());
    EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(Folder, FileInPlaceOfTheFolder) {
    std::ofstream(folder_) << "file";
    EXPECT_EQ(write(set("1", "2")).diags.at(0).text,
              folder_.string() + ": not a folder: want a folder");
    EXPECT_TRUE(fs::is_regular_file(folder_));
}

/// The limit of a process stands for a full disk.
TEST_F(Folder, DiskFull) {
    write(with_manifest(set("1", "2")));
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small = {1000, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    const std::string text = refused(with_manifest(set("4", std::string(2000, 'x'))));
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    EXPECT_EQ(text, "DIR/b.txt: cannot write: File too large");
}

TEST_F(Folder, RemovesWhatAnEarlierRunMade) {
    OutputSet first = set("1", "2");
    first.add("old.v", "old");
    first.add("mine.v", "made");
    write(with_manifest(first));
    put("mine.v", "edited by hand");
    EXPECT_EQ(write(with_manifest(set("1", "2"))).removed, 1);
    EXPECT_FALSE(fs::exists(folder_ / "old.v"));
    EXPECT_EQ(read("mine.v"), "edited by hand");
}

/// A run was killed while it replaced files: some are new, the manifest is still the old one.
TEST_F(Folder, TidiesUpAfterAKilledRun) {
    OutputSet killed = set("1", "2");
    killed.add("left.v", "left");
    put("left.v", "left");
    put(".macrame.lock", "");
    put(".macrame.new/manifest.json", manifest(any_design(), killed));
    put(".macrame.new/x/a.txt", "1");
    const OutputSet wanted = with_manifest(set("3", "4"));
    EXPECT_EQ(write(wanted).removed, 1);
    EXPECT_EQ(contents().size(), wanted.files().size() + 1);  // and the folder x
    EXPECT_EQ(read("x/a.txt"), "3");
}

TEST_F(Folder, HalfWrittenManifestOfAKilledRun) {
    put(".macrame.new/manifest.json", R"({"generator": "macrame", "files": [{"pa)");
    EXPECT_TRUE(write(with_manifest(set("3", "4"))).diags.empty());
    EXPECT_EQ(contents().size(), 4u);
}

TEST_F(Folder, ManifestThatMacrameCannotHaveMade) {
    const std::string not_ours =
        "DIR/manifest.json: not made by macrame: want another folder, or "
        "remove it";
    const auto text = [&](const std::string& bytes) {
        put(kManifest, bytes);
        return refused(with_manifest(set("1", "2")));
    };
    for (const char* bytes :
         {"", "{", "[]", "5", "null", "{}", "\xff\xfe", R"({"generator": 5, "files": []})",
          R"({"generator": "macrame"})", R"({"generator": "macrame", "files": {}})",
          R"({"generator": "macrame", "files": 5})", R"({"name": "my web page"})"}) {
        EXPECT_EQ(text(bytes), not_ours) << bytes;
    }
    for (const char* row :
         {"5", "null", "[]", "{}", R"({"path": 5})", R"({"path": ""})", R"({"path": "."})",
          R"({"path": "x/"})", R"({"path": "/etc/passwd"})", R"({"path": "../x", "sha256": "0"})",
          R"({"path": "x//y", "sha256": "0"})", R"({"path": "./x", "sha256": "0"})",
          R"({"path": null})", R"({"path": {"a": 1}})", R"({"path": "manifest.json"})"}) {
        EXPECT_EQ(text(R"({"generator": "macrame", "files": [)" + std::string(row) + "]}"),
                  "DIR/manifest.json: files[0].path: want the path of a file in this folder; "
                  "remove it if it is not needed")
            << row;
    }
    for (const char* sum : {R"("")", "5", "null", "[1]"}) {
        EXPECT_EQ(text(R"({"generator": "macrame", "files": [{"path": "a", "sha256": )" +
                       std::string(sum) + "}]}"),
                  "DIR/manifest.json: files[0].sha256: want a checksum; "
                  "remove it if it is not needed")
            << sum;
    }
}

TEST_F(Folder, ManifestThatIsAFolderOrHuge) {
    put("manifest.json/file", "");
    EXPECT_NE(refused(with_manifest(set("1", "2"))).find("manifest.json: a folder: want a file"),
              std::string::npos);
    fs::remove_all(folder_ / kManifest);
    put(kManifest, "");
    fs::resize_file(folder_ / kManifest, kLargestFile + 1);  // takes no space
    WriteReport report = write(with_manifest(set("1", "2")));
    ASSERT_EQ(report.diags.size(), 1u);
    EXPECT_EQ(report.diags[0].text,
              (folder_ / kManifest).string() + ": more than 64 MiB: want a smaller file");
}

}  // namespace
}  // namespace macrame::emit
