/** Settings of a server that sends through a local mail server. */
export const mailingThrough = (port: number): Readonly<Record<string, string>> => ({
	EMAIL_API_KEY: 'mVx2Qe7Lr9',
	EMAIL_HOST: '127.0.0.1',
	EMAIL_PORT: String(port),
	EMAIL_ALLOW_PLAIN: '1',
	EMAIL_FROM: 'no-reply@postern.test'
});
