/// <reference types="vite/client" />
import type { Examples } from '../emails/examples.ts';
import type { OutgoingEmail } from '../rendered-email.ts';

// Found by the development server, so that no build contains the examples.
const files = import.meta.glob<Examples<OutgoingEmail>>('../emails/*/*.ts', {
	import: 'examples',
	eager: true
});

/** The examples of all emails, by title. */
export const exampleEmails: ReadonlyMap<string, OutgoingEmail> = new Map(
	Object.values(files).flatMap((examples) => Object.entries(examples))
);
