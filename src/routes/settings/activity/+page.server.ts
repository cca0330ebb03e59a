export { loadActivity as load } from '#lib/adapters/web/events/pages.ts';
