export const STYLE = `
	:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
	body { margin: 0; display: flex; flex-wrap: wrap; align-items: flex-start; }
	nav { box-sizing: border-box; width: 22rem; max-width: 100%; padding: 1rem; overflow-wrap: anywhere; }
	main { box-sizing: border-box; flex: 1; min-width: min(100%, 24rem); padding: 1rem; }
	h1 { font-size: 1.4rem; margin: 0; }
	h2 { font-size: 1rem; margin: 1.5rem 0 0.5rem; }
	ol, ul { list-style: none; margin: 0; padding: 0; }
	a { color: inherit; }
	li a, .switches a { display: inline-block; padding: 0.35rem 0.6rem; border-radius: 0.5rem; text-decoration: none; }
	li > a { display: block; }
	li > a.link { font-size: 0.85rem; text-decoration: underline; }
	a:hover, a:focus-visible { background: color-mix(in srgb, currentColor 8%, transparent); }
	a[aria-current] { background: color-mix(in srgb, currentColor 14%, transparent); }
	time { font-variant-numeric: tabular-nums; }
	output { display: block; padding: 0 0.6rem; font: 600 1.5rem/1.6 ui-monospace, monospace; user-select: all; }
	dl { display: grid; grid-template-columns: auto 1fr; gap: 0.25rem 1rem; margin: 0; }
	dt { font-weight: 600; }
	dd { margin: 0; overflow-wrap: anywhere; }
	iframe { height: 46rem; max-width: 100%; border: 1px solid GrayText; resize: both; }
	pre { padding: 1rem; border: 1px solid GrayText; white-space: pre-wrap; overflow-wrap: anywhere; }
`;
