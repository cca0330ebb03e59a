import { createTransport } from 'nodemailer';

const transport = createTransport({
	pool: true,
	host: '127.0.0.1',
	port: Number(process.env['SMTP_PORT']),
	ignoreTLS: true
});

export const mailCode = async (to: string, code: string): Promise<void> => {
	await transport.sendMail({
		from: 'Peer <no-reply@example.test>',
		to,
		subject: 'Your sign-in code',
		text: `Your code is ${code}. It works for ten minutes.\n`,
		html: `<!doctype html><html lang="en"><body><p>Your code is <strong>${code}</strong>. It works for ten minutes.</p></body></html>\n`
	});
};
