import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { advisories, type Advisory } from './advisories.ts';
import { projectRoot } from '../files/scratch-copy.ts';

const said = ({ answer }: Advisory): string =>
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
			'| Id | What went wrong there | What would catch it here |',
			'| --- | --- | --- |',
			...advisories
				.filter((advisory) => advisory.source === source)
				.map((advisory) => `| ${advisory.ids.join(', ')} | ${advisory.cause} | ${said(advisory)} |`)
		].join('\n')
	);
	const text = [
		'# What went wrong elsewhere',
		'Flaws of programs like this one, each with the test that would catch it here. This page is made by `node dev/list-advisories.ts` from `tests/support/docs/advisories.ts`; a test sees that it is up to date and that every test it names is there.',
		...sections
	].join('\n\n');
	const path = join(projectRoot, 'docs', 'advisories.md');
	return format(text, { ...(await resolveConfig(path)), parser: 'markdown' });
};
