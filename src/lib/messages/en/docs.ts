/** The words around the documentation; its own texts are in src/lib/ui/docs. */
export const docs = {
	title: 'Documentation',
	nav: 'Documentation',
	contents: 'Contents',
	start: 'Start',
	guides: 'Guides',
	reference: 'API reference',
	otherGuides: 'Other guides',
	previous: 'Previous',
	next: 'Next',
	copy: 'Copy',
	copied: 'Copied',
	linkTo: (section: string): string => `Link to: ${section}`,
	baseUrl: 'This installation',
	step: (step: number): string => `curl, step ${step}`,
	version: (version: string): string => `Version ${version}.`,
	raw: 'The same as an OpenAPI document',
	tokenHint: 'In the examples TOKEN is a variable of the shell that holds the token of a sign-in.',
	conventions: 'Conventions',
	session: {
		required: 'Needs a session.',
		optional: 'Works with or without a session.',
		unused: 'Needs no session.'
	},
	query: 'Query',
	body: 'Body',
	required: 'required',
	optional: 'optional',
	notAlways: 'not always there',
	curl: (call: string): string => `curl: ${call}`,
	answer: (status: string): string => `Answer ${status}`,
	answerType: 'Type:',
	headers: 'Headers',
	example: (call: string): string => `Example answer: ${call}`,
	errors: 'Errors',
	generalErrors: (count: number, more: boolean): string =>
		more ? `And ${count} that calls of this kind share` : `${count} that calls of this kind share`,
	errorsLede:
		'Match on the code, never on the message. All of them, with their status and what they mean:',
	schemas: 'Schemas'
};
