import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { advisories, type Advisory } from './advisories.ts';
import { projectRoot } from '../files/scratch-copy.ts';

const cellOf = ({ answer }: Advisory): string =>
	'not' in answer
		? `not applicable: ${answer.not}`
		: `[${answer[0].replace(/^tests\//, '')}](../${answer[0]}): ${answer[1]}`;

/** The expected text of docs/advisories.md. */
export const advisoryPage = async (): Promise<string> => {
	const sources = [...new Set(advisories.map(({ source }) => source))];
	const sections = sources.map((source) =>
		[
			`## ${source}`,
			'',
			'| Id | What went wrong there | Test that would detect it here |',
			'| --- | --- | --- |',
			...advisories
				.filter((advisory) => advisory.source === source)
				.map(
					(advisory) => `| ${advisory.ids.join(', ')} | ${advisory.cause} | ${cellOf(advisory)} |`
				)
		].join('\n')
	);
	const text = [
		'# What went wrong elsewhere',
		'Published flaws of similar programs, each with the Postern test that would detect it. `node dev/list-advisories.ts` generates this page from `tests/support/docs/advisories.ts`. A test checks that the page is current and that every test it names exists.',
		...sections
	].join('\n\n');
	const path = join(projectRoot, 'docs', 'advisories.md');
	return format(text, { ...(await resolveConfig(path)), parser: 'markdown' });
};
