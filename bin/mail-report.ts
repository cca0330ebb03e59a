import { percentile } from '#lib/domain/delivery/receipts/entry-times.ts';
import { completionOf, type HostFigures } from '#lib/domain/delivery/receipts/host-figures.ts';

const HEADER = ['mail host', 'sent', 'entered', '', 'median', '95 %', 'again', 'refused'];
const GAP = '  ';

/** The figures as an aligned table, one line a host. */
export const reportLines = (figures: readonly HostFigures[]): readonly string[] => {
	if (figures.length === 0) return ['no codes yet: none was sent in the last seven days'];
	const rows = [HEADER, ...figures.map(cellsOf)];
	const widths = HEADER.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
	return [
		'codes of the last seven days, by the mail host of their recipients',
		...rows.map((row) => row.map((cell, at) => aligned(cell, widths[at] ?? 0, at)).join(GAP))
	];
};

const cellsOf = (figures: HostFigures): readonly string[] => {
	const { host, sent, entered, times, again, refused } = figures;
	const share = sent === 0 ? '' : `${Math.round(100 * completionOf(figures))} %`;
	const within = [0.5, 0.95].map((part) => seconds(percentile(times, part)));
	return [host, `${sent}`, `${entered}`, share, ...within, `${again}`, `${refused}`];
};

const seconds = (value: number | null): string => (value === null ? '-' : `${Math.round(value)} s`);

/** Names at the left, numbers at the right. */
const aligned = (cell: string, width: number, column: number): string =>
	column === 0 ? cell.padEnd(width) : cell.padStart(width);
