import { error } from '@sveltejs/kit';
import { referenceSamples } from 'virtual:reference-samples';
import { referenceLinks } from '#lib/adapters/web/api/reference/api-reference.ts';
import { colouredSample } from '#lib/adapters/web/api/reference/coloured-sample.ts';
import { messages } from '#lib/messages/messages.ts';
import { referenceOf } from '../reference-of.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = ({ locals, params }) => {
	const reference = referenceOf(locals);
	const group = reference.groups.find(({ operations }) =>
		operations.some(({ id }) => id === params.operation)
	);
	const operation = group?.operations.find(({ id }) => id === params.operation);
	if (group === undefined || operation === undefined) error(404, messages.faults.notFound);
	const { origin } = locals.app.config;
	const { curl, answer } = operation;
	return {
		links: referenceLinks(reference),
		group: group.id,
		operation,
		lede: firstSentence(operation.description),
		errors: reference.errors.filter(({ code }) => operation.errors.includes(code)),
		curl: colouredSample(referenceSamples, curl, origin),
		example: answer.body && colouredSample(referenceSamples, answer.body.example, origin)
	};
};

/** The rest of the text follows below, in smaller print. */
const firstSentence = (text: string): string => /^.{20,}?\.(?=\s|$)/.exec(text)?.[0] ?? text;
