"""Other forms of TFLite files: shapes of results, numbers that operators read, what they leave out."""
import copy

import numpy as np
from tflite_file import Table, Vector
from tflite_tree import (BUFFER, CODES, HAS_RANK, INT32, OPERATORS, OUTPUTS, SHAPE, SIGNATURE, TYPE,
                         add_buffer, add_tensor, axes, code_of, computed,
                         constants, graph_of, has_data, integers,
                         numbers_of, operators_of, reads, tensors_of)

# Operators that read axes, by their codes, and at which place: SPLIT, ARG_MAX, MEAN, EXPAND_DIMS,
# SPLIT_V.
NUMBERS = [(49, 0), (56, 1), (40, 1), (70, 1), (102, 2)]


def dynamic_batch(model):
    for tensor in tensors_of(model):
        shape = np.array(tensor.fields[SHAPE].elements)
        if not has_data(model, tensor) and len(shape):
            tensor.fields[SIGNATURE] = Vector(np.array([-1, *shape[1:]], np.int32))
            tensor.fields[HAS_RANK] = ("?", True)


def shapes_of_results_left_out(model):
    for tensor in computed(model):
        del tensor.fields[SHAPE]


def shapes_of_results_without_axes(model):
    for tensor in computed(model):
        tensor.fields[SHAPE] = Vector(np.array([], np.int32))


def shapes_of_another_batch(model):
    """As a network that was trained with so many."""
    for tensor in computed(model):
        shape = np.array(tensor.fields[SHAPE].elements)
        if len(shape):
            shape[0] = 16
            tensor.fields[SHAPE] = Vector(shape)


def shapes_of_something_else(model):
    for tensor in computed(model):
        tensor.fields[SHAPE] = Vector(np.array([3, 1000], np.int32))


def open_shapes(model):
    """Every size of what is computed is open."""
    for tensor in computed(model):
        rank = len(tensor.fields[SHAPE].elements)
        tensor.fields[SHAPE] = Vector(np.ones(rank, np.int32))
        tensor.fields[SIGNATURE] = Vector(np.full(rank, -1, np.int32))


def open_batch_of_something_else(model):
    """The batch is open from the input on, the shapes of results are of eight."""
    dynamic_batch(model)
    shapes_of_another_batch(model)


def scalars_and_vectors(model):
    """One number with an axis of one, and the other way round."""
    for code, place in NUMBERS:
        for _, tensor in numbers_of(model, code, place):
            if axes(tensor) < 2 and integers(model, tensor).size == 1:
                tensor.fields[SHAPE] = Vector(np.ones(1 - axes(tensor), np.int32))


def negative_axes(model):
    """In constants and in options; of one that has as many axes as the other end."""
    for code, place in NUMBERS:
        for operator, tensor in numbers_of(model, code, place):
            whole = tensors_of(model)[reads(operator)[1 if (code, place) == (49, 0) else 0]]
            values = integers(model, tensor)
            tensor.fields[BUFFER] = add_buffer(model, (values - axes(whole)).astype(np.int32)
                                               .tobytes())
    for operator in operators_of(model):
        code, options = code_of(model, operator), operator.fields.get(4)
        place = {2: 0, 83: 1, 88: 1}.get(code)  # CONCATENATION, PACK, UNPACK
        if place is not None and options is not None:
            rank = axes(tensors_of(model)[reads(operator)[0]]) + (1 if code == 83 else 0)
            options.fields[place] = ("i", options.fields.get(place, ("i", 0))[1] - rank)


def wide_numbers(model):
    """Amounts of 64 bits."""
    for code, place in ((34, 1), (65, 1), (65, 2), (56, 1), (70, 1)):
        for _, tensor in numbers_of(model, code, place):
            tensor.fields[BUFFER] = add_buffer(model, integers(model, tensor).astype(np.int64)
                                               .tobytes())
            tensor.fields[TYPE] = ("b", 4)


def versions_of_codes(model):
    for code in model.fields[CODES].elements:
        code.fields.pop(2, None)


def biases_left_out(model):
    """With a number of its own for nothing, or not at all."""
    for code, place in ((3, 2), (4, 2), (9, 2), (67, 3)):
        for number, operator in enumerate(operators_of(model)):
            if code_of(model, operator) == code and len(reads(operator)) > place:
                numbers = np.array(reads(operator))[:place]
                if number % 2:
                    numbers = np.append(numbers, np.int32(-1))
                operator.fields[1] = Vector(numbers.astype(np.int32))


def slices_with_an_ellipsis(model):
    """The last axes are between others, and come with one more."""
    for operator in operators_of(model):
        if code_of(model, operator) != 45:
            continue
        rank = axes(tensors_of(model)[reads(operator)[0]])
        first = [integers(model, tensors_of(model)[n])[:1] for n in reads(operator)[1:]]
        if rank < 2:
            continue
        numbers = [reads(operator)[0]]
        for values in first:
            words = np.append(values, np.int32([0])).astype(np.int32)
            numbers.append(add_tensor(model, _0=Vector(np.array([2], np.int32)),
                                      _1=("b", INT32), _2=add_buffer(model, words.tobytes())))
        operator.fields[1] = Vector(np.array(numbers, np.int32))
        operator.fields[4].fields[2] = ("i", 2)
        for mask in (0, 1, 4):
            old = operator.fields[4].fields.get(mask, ("i", 0))[1]
            operator.fields[4].fields[mask] = ("i", old & 1)


def slices_by_length(model):
    """What was an end is counted from the begin on."""
    for operator in operators_of(model):
        if code_of(model, operator) == 45:
            begin, end, stride = [integers(model, tensors_of(model)[n])
                                  for n in reads(operator)[1:4]]
            masks = [operator.fields[4].fields.get(i, ("i", 0))[1] for i in range(2)]
            sizes = tensors_of(model)[reads(operator)[0]].fields[SHAPE].elements
            ranges = [slice(*(None if mask >> i & 1 else int(part[i]) for mask, part in
                              zip(masks, (begin, end))), int(stride[i])).indices(int(sizes[i]))
                      for i in range(len(begin))]
            lengths = np.array([stop - start for start, stop, _ in ranges], np.int32)
            numbers = np.array(reads(operator))
            numbers[2] = add_tensor(model, _0=Vector(np.array([len(lengths)], np.int32)),
                                    _1=("b", INT32),
                                    _2=add_buffer(model, lengths.tobytes()))
            operator.fields[1] = Vector(numbers.astype(np.int32))
            operator.fields[4].fields[5] = ("?", True)


def results_that_are_moved(model):
    """A RESHAPE to the same shape behind each result, in front of what reads it."""
    codes = model.fields[CODES].elements
    codes.append(Table({0: ("b", 22), 2: ("i", 1), 3: ("i", 22)}))
    new, added = [], {}
    for operator in operators_of(model):
        operator.fields[1] = Vector(np.array([added.get(n, n) for n in reads(operator)], np.int32))
        new.append(operator)
        for n in operator.fields[2].elements:
            tensor = copy.copy(tensors_of(model)[n])
            tensors_of(model).append(tensor)
            added[n] = len(tensors_of(model)) - 1
            new.append(Table({0: ("I", len(codes) - 1), 1: Vector(np.array([n], np.int32)),
                              2: Vector(np.array([added[n]], np.int32)), 3: ("B", 17),
                              4: Table({0: tensor.fields[SHAPE]})}))
    graph_of(model)[OPERATORS] = Vector(new)
    graph_of(model)[OUTPUTS] = Vector(np.array(
        [added.get(n, n) for n in graph_of(model)[OUTPUTS].elements], np.int32))


FORMS = (dynamic_batch, shapes_of_results_left_out, shapes_of_results_without_axes,
         shapes_of_another_batch, shapes_of_something_else, open_shapes,
         open_batch_of_something_else, scalars_and_vectors, negative_axes, wide_numbers,
         biases_left_out, versions_of_codes, slices_with_an_ellipsis, slices_by_length,
         results_that_are_moved)
