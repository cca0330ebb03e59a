import { guideAnchor } from '#lib/guide-anchor.ts';
import { messages } from '#lib/messages/messages.ts';
import type { Field } from '#lib/view/reference.ts';
import type { ApiReference } from '../api/reference/api-reference.ts';
import type { Place } from './search.ts';

const texts = messages.docs;

/** The parts of the reference: every call, error and schema, and the conventions. */
export const referencePlaces = (reference: ApiReference): readonly Place[] => [
	...reference.groups.flatMap(({ operations }) =>
		operations.map((one) => ({
			path: `docs/api/${one.id}` as const,
			title: one.summary,
			where: `${one.method} ${one.path}`,
			text: plain(
				[
					one.description,
					...[...one.params, ...one.query, ...one.headers, ...one.body].map(fieldText),
					...[...(one.answer.body?.fields ?? []), ...one.answer.headers].map(fieldText)
				].join(' ')
			)
		}))
	),
	...reference.errors.map(({ code, status, meaning }) => ({
		path: `docs/api/errors#error-${code}` as const,
		title: code,
		where: `${texts.search.error} ${status}`,
		text: plain(meaning)
	})),
	...reference.schemas.map(({ name, description, fields }) => ({
		path: `docs/api/schemas#schema-${name}` as const,
		title: name,
		where: texts.schemas,
		text: plain([description, ...fields.map(fieldText)].join(' '))
	})),
	{
		path: 'docs/api/conventions',
		title: texts.conventions,
		where: texts.reference,
		text: plain(reference.conventions)
	}
];

/** The sections of the guides, by the path of each Markdown file. */
export const guidePlaces = (sources: Readonly<Record<string, string>>): readonly Place[] =>
	Object.entries(sources).flatMap(([file, markdown]) => {
		const [head = '', ...sections] = markdown.split(/^## /m);
		const [title = '', ...lede] = head.replace(/^# /, '').split('\n');
		const page = pageOf(file);
		const where = page === 'docs' ? texts.title : texts.search.guide(title);
		return [
			{ path: page, title, where, text: plain(lede.join('\n')) },
			...sections.map((section): Place => {
				const [name = '', ...text] = section.split('\n');
				return {
					path: `${page}#${guideAnchor(name)}`,
					title: name,
					where,
					text: plain(text.join('\n'))
				};
			})
		];
	});

const pageOf = (file: string): 'docs' | `docs/guides/${string}` => {
	const name = file.slice(file.lastIndexOf('/') + 1, -'.md'.length);
	return name === 'README' ? 'docs' : `docs/guides/${name}`;
};

const fieldText = ({ name, description }: Field): string =>
	description === '' ? name : `${name}: ${description}`;

/** Markdown as one line of text. */
const plain = (markdown: string): string =>
	markdown
		.replace(/^ *```\w*$/gm, '')
		.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
		.replace(/[`*]|^#+ /gm, '')
		.replace(/\s+/g, ' ')
		.trim();
