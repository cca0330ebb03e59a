import adapter from '@sveltejs/adapter-node';
import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';
import { ORIGIN } from './src/lib/origin.ts';

export default defineConfig({
	plugins: [sveltekit({ adapter: adapter(), paths: { origin: ORIGIN } })]
});
