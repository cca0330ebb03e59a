import { downloadExport } from '#lib/adapters/web/events/pages.ts';
import type { RequestHandler } from './$types';

export const POST: RequestHandler = downloadExport;
