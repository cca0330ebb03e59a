import adapter from '@sveltejs/adapter-node';
import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';
import { brandPlugin } from './src/lib/brand/vite-plugin.ts';

/** The programs of the build: the server and the operator commands. */
const programs = {
	start: 'src/entry/start.js',
	task: 'bin/task.ts',
	'db-copy': 'bin/db-copy.ts',
	'db-backup': 'bin/db-backup.ts',
	'mail-check': 'bin/mail-check.ts',
	mail: 'bin/mail.ts',
	admin: 'bin/admin.ts',
	'seed-purchase': 'bin/seed-purchase.ts'
};

/** On a busy machine, the first start would warn that the compiler takes its time. */
const checks = { pluginTimings: false };

/**
 * Modules that several pages use become one file. Otherwise each combination of pages gets files of
 * its own: the sign-in page loaded 24 scripts, many of them under 500 bytes. It now loads 7, which
 * compress better.
 */
const oneSharedFile = {
	checks,
	output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 3 }] } }
};

export default defineConfig({
	// Bundled, because loading their hundreds of modules one by one took two thirds of a start.
	ssr: { noExternal: ['drizzle-orm', 'zod'] },
	plugins: [
		brandPlugin(),
		sveltekit({
			adapter: adapter(),
			compilerOptions: {
				// Our own code uses runes. Libraries keep the mode they were written for.
				runes: ({ filename }) => (filename.includes('node_modules') ? undefined : true)
			},
			csp: {
				directives: {
					'default-src': ['self'],
					'object-src': ['none'],
					'base-uri': ['none'],
					'frame-ancestors': ['none'],
					'form-action': ['self'],
					// The hash of the only inline style, which is in the framework's root component.
					'style-src-attr': ['unsafe-hashes', 'sha256-S8qMpvofolR8Mpjy4kQvEm7m1q8clzU4dfDH0AmvZjo=']
				}
			},
			// The framework's check covers only form content types, with an origin from build time. Our
			// own check covers every state-changing request instead (docs/decisions/0005).
			csrf: { trustedOrigins: ['*'] },
			// Open tabs of a sign-in service need not poll for new versions.
			version: { pollInterval: 0 }
		}),
		{
			name: 'postern-files',
			apply: 'build',
			config: () => ({
				environments: {
					client: { build: { rolldownOptions: oneSharedFile } },
					ssr: { build: { rolldownOptions: { checks, input: programs } } }
				}
			})
		}
	]
});
