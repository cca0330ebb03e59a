export { downloadExport as POST } from '#lib/adapters/web/account/export.ts';
