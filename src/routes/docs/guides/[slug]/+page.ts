import { error } from '@sveltejs/kit';
import { messages } from '#lib/messages/messages.ts';
import { guideText } from '#lib/ui/docs/guide-texts.ts';
import { findGuide } from '#lib/ui/docs/guides.ts';
import type { PageLoad } from './$types';

export const load: PageLoad = async ({ params }) => {
	const guide = findGuide(params.slug);
	if (guide === undefined) error(404, messages.faults.notFound);
	return { guide, Text: await guideText(guide.slug) };
};
