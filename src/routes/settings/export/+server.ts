import { downloadExport } from '#lib/adapters/web/events/export.ts';
import type { RequestHandler } from './$types';

export const POST: RequestHandler = downloadExport;
