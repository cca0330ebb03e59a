import { registerHooks } from 'node:module';

// Loaded with `--import`. Changes what the server's entry imports from build/adapter-node.js, as
// TEST_FRAMEWORK says; the adapter's own handler still gets the real module.

const FILE = '/build/adapter-node.js';
const ENTRY = '/chunks/serve.js';
const CHANGED = '?changed';

const sources: Readonly<Record<string, string>> = {
	'without respond':
		'export { assets, prerendered_assets } from "./adapter-node.js"; export const server = {};',
	'with another form of respond':
		'import { server as own } from "./adapter-node.js"; export { assets, prerendered_assets } from "./adapter-node.js"; export const server = { respond: (options) => own.respond(options.request, options) };'
};

const source = sources[process.env['TEST_FRAMEWORK'] ?? ''];
if (source === undefined) throw new Error('TEST_FRAMEWORK names no change');

registerHooks({
	resolve: (specifier, context, next) => {
		const resolved = next(specifier, context);
		const isTaken = resolved.url.endsWith(FILE) && context.parentURL?.endsWith(ENTRY);
		return isTaken ? { ...resolved, url: resolved.url + CHANGED, shortCircuit: true } : resolved;
	},
	load: (url, context, next) =>
		url.endsWith(FILE + CHANGED)
			? { format: 'module', source, shortCircuit: true }
			: next(url, context)
});
