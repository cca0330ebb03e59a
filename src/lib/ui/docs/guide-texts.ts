import type { Component } from 'svelte';
import type { GuideSlug } from './guides.ts';

/** Loaded one at a time, so that a page loads only its own guide. */
const texts: Readonly<Record<GuideSlug, () => Promise<{ readonly default: Component }>>> = {
	'web-pages': () => import('./guides/WebPages.svelte'),
	'single-page-app': () => import('./guides/SinglePageApp.svelte'),
	'mobile-apps': () => import('./guides/MobileApps.svelte'),
	'command-line': () => import('./guides/CommandLine.svelte'),
	'other-backends': () => import('./guides/OtherBackends.svelte'),
	'protect-routes': () => import('./guides/ProtectRoutes.svelte'),
	'replace-ports': () => import('./guides/ReplacePorts.svelte'),
	'app-emails': () => import('./guides/AppEmails.svelte'),
	'from-better-auth': () => import('./guides/FromBetterAuth.svelte')
};

export const guideText = async (slug: GuideSlug): Promise<Component> =>
	(await texts[slug]()).default;
