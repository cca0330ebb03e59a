import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import type { Mailer } from '#lib/domain/mail.ts';
import { guideSample } from '../../support/files/guide-sample.ts';
import { exampleMails } from '../../support/mail/examples.ts';

const sample = guideSample('replace-ports', 'src/lib/adapters/mail-service/template-mailer.ts');

const folder = mkdtempSync(join(tmpdir(), 'postern-sample-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Sends one email with the guide's mailer, through a provider that behaves like this. */
const delivered = async (provider: RequestListener | null): Promise<string> => {
	const server = createServer(provider ?? undefined);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	if (provider === null) await new Promise((resolve) => server.close(resolve));
	const file = join(folder, `mailer-${port}.ts`);
	writeFileSync(file, sample.replace('https://mail.example.org', `http://127.0.0.1:${port}`));
	const { templateMailer } = (await import(pathToFileURL(file).href)) as {
		templateMailer: (key: string) => Mailer;
	};
	try {
		return await templateMailer('a key').send(exampleMails.sign_in_code);
	} finally {
		server.close();
	}
};

test.each<[string, RequestListener | null, string]>([
	['accepts it', (_, response) => void response.end(), 'sent'],
	['refuses it', (_, response) => void response.writeHead(422).end(), 'not_sent'],
	['has a fault', (_, response) => void response.writeHead(502).end(), 'unknown'],
	['closes the connection', ({ socket }) => void socket.destroy(), 'unknown'],
	['cannot be reached', null, 'not_sent']
])('the mailer of the guide: a provider that %s', async (_, provider, outcome) => {
	expect(await delivered(provider)).toBe(outcome);
});
