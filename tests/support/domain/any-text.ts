import fc from 'fast-check';

const codePoint = fc.oneof(
	fc.nat(0x7f),
	fc.nat(0xd7ff),
	fc.integer({ min: 0xe000, max: 0x10ffff })
);

/** Any characters. The unit `binary` of fast-check does the same, and takes seconds to set up. */
export const anyText = (size: fc.ArrayConstraints = {}) =>
	fc.array(codePoint, size).map((points) => String.fromCodePoint(...points));
