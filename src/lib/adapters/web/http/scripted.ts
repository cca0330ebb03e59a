/** Whether a page's script posted the form and reads the response. */
export const isScripted = ({ request }: { readonly request: Request }): boolean =>
	request.headers.get('x-sveltekit-action') === 'true';
