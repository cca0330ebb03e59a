import { error } from '@sveltejs/kit';
import { openApiDocument } from '#lib/adapters/web/operations.ts';
import { referenceHtml } from '#lib/adapters/web/service/reference-html.ts';
import { messages } from '#lib/messages/messages.ts';
import type { PageServerLoad } from './$types';

export const csr = false;

export const load: PageServerLoad = ({ locals }) => {
	const { config } = locals.app;
	if (!config.docs) error(404, messages.faults.notFound);
	return { reference: referenceHtml(openApiDocument(config)) };
};
