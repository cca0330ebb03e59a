import adapter from '@sveltejs/adapter-node';
import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';

/** The programs of the artefact: the server and the commands of operators. */
const programs = {
	start: 'src/entry/start.js',
	task: 'bin/task.ts',
	'db-copy': 'bin/db-copy.ts',
	'db-backup': 'bin/db-backup.ts',
	'mail-check': 'bin/mail-check.ts',
	'seed-purchase': 'bin/seed-purchase.ts'
};

export default defineConfig({
	// Left outside, each of its hundreds of modules is looked up by itself, which was two thirds of a start.
	ssr: { noExternal: ['drizzle-orm', 'zod'] },
	plugins: [
		sveltekit({
			adapter: adapter(),
			compilerOptions: {
				// Runes everywhere in our own code; libraries keep the mode they were written for.
				runes: ({ filename }) => (filename.includes('node_modules') ? undefined : true)
			},
			csp: {
				directives: {
					'default-src': ['self'],
					'object-src': ['none'],
					'base-uri': ['none'],
					'frame-ancestors': ['none'],
					'form-action': ['self'],
					// The one inline style of the framework's own root component, by its hash.
					'style-src-attr': ['unsafe-hashes', 'sha256-S8qMpvofolR8Mpjy4kQvEm7m1q8clzU4dfDH0AmvZjo=']
				}
			},
			// The framework's own check knows only form content types and a build-time origin.
			// Our gate in hooks.server.ts judges every state-changing request instead (docs/decisions/0005).
			csrf: { trustedOrigins: ['*'] },
			// Open tabs of a sign-in service have no reason to ask for new versions.
			version: { pollInterval: 0 }
		}),
		{
			name: 'postern-programs',
			apply: 'build',
			config: () => ({
				environments: { ssr: { build: { rolldownOptions: { input: programs } } } }
			})
		}
	]
});
