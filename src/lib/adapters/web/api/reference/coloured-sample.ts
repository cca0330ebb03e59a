import { SAMPLE_ORIGIN, type ColouredCode } from '#lib/view/code.ts';

/**
 * The pieces of a sample that the build has coloured, for an installation. A sample that differs by
 * more than the origin has one colour.
 */
export const colouredSample = (
	samples: Readonly<Record<string, ColouredCode>>,
	text: string,
	origin: string
): ColouredCode =>
	samples[text.replaceAll(origin, SAMPLE_ORIGIN)]?.map(
		([piece, kind]) => [piece.replaceAll(SAMPLE_ORIGIN, origin), kind] as const
	) ?? [[text, null]];
