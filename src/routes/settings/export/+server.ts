export { downloadExport as POST } from '#lib/adapters/web/events/pages.ts';
