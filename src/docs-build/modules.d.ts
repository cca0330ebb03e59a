declare module '*.md' {
	import type { Component } from 'svelte';
	const guide: Component;
	export default guide;
}

declare module 'virtual:reference-samples' {
	import type { ColouredCode } from '#lib/view/code.ts';
	/** The commands and responses of the API reference by their text, coloured. */
	export const referenceSamples: Readonly<Record<string, ColouredCode>>;
}
