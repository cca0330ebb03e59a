import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onOneServer, present } from '../../support/http/fixtures.ts';
import { addApplication, back, follow, signedInBrowser } from '../../support/http/oidc.ts';
import { freePort } from '../../support/process/free-port.ts';

const APACHE = '/usr/sbin/apache2';
const MODULES = '/usr/lib/apache2/modules';

/** Debian: apt install apache2-bin libapache2-mod-auth-openidc */
const isMissing = ![APACHE, `${MODULES}/mod_auth_openidc.so`].every((file) => existsSync(file));

const configuration = (
	folder: string,
	port: number,
	issuer: string,
	id: string,
	secret: string
) => `
ServerRoot ${folder}
ServerName localhost
PidFile ${folder}/pid
Mutex posixsem
ErrorLog ${folder}/error.log
DocumentRoot ${folder}
Listen 127.0.0.1:${port}
${['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'auth_openidc']
	.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`)
	.join('\n')}
OIDCProviderMetadataURL ${issuer}/.well-known/openid-configuration
OIDCClientID ${id}
OIDCClientSecret ${secret}
OIDCRedirectURI http://localhost:${port}/callback
OIDCCryptoPassphrase a-passphrase-of-a-test
OIDCPKCEMethod S256
OIDCScope "openid email profile"
OIDCRemoteUserClaim email
<Location />
	AuthType openid-connect
	OIDCUnAuthAction auth true
	Require valid-user
</Location>
`;

describe.skipIf(isMissing)('Apache with mod_auth_openidc', () => {
	onOneServer(
		(fixture) => {
			const folder = mkdtempSync(join(tmpdir(), 'postern-apache-'));
			let apache: ChildProcess | undefined;
			let site = '';
			beforeAll(async () => {
				const port = await freePort();
				site = `http://localhost:${port}`;
				const redirects = [`${site}/callback`];
				const { id, secret } = await addApplication(fixture.server, { name: 'Wiki', redirects });
				const issuer = `${fixture.server.address}/oidc`;
				writeFileSync(join(folder, 'index.html'), 'the wiki');
				writeFileSync(
					join(folder, 'apache.conf'),
					configuration(folder, port, issuer, id, present(secret))
				);
				apache = spawn(APACHE, ['-X', '-f', join(folder, 'apache.conf')], { stdio: 'inherit' });
			});
			afterAll(async () => {
				if (apache?.exitCode === null) {
					apache.kill();
					await once(apache, 'exit');
				}
				rmSync(folder, { recursive: true });
			});

			/** A request of the browser to Apache, with its cookies there. */
			const cookies = new Map<string, string>();
			const open = async (url: string): Promise<Response> => {
				const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
				const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
				for (const line of answer.headers.getSetCookie()) {
					const [name = '', value = ''] = (line.split(';', 1)[0] ?? '').split(/=(.*)/s);
					cookies.set(name, value);
				}
				return answer;
			};

			test('a page behind it opens after a sign-in here, and not before', async () => {
				const isUp = async () => (await fetch(site, { redirect: 'manual' })).status;
				await expect.poll(() => isUp().catch(() => 0)).toBe(302);
				const { browser } = await signedInBrowser(fixture.server);
				const started = new URL(
					present((await open(`${site}/index.html`)).headers.get('location'))
				);
				expect(started.origin).toBe(fixture.server.address);
				expect(started.searchParams.get('code_challenge_method')).toBe('S256');
				const answer = await follow(browser, started.pathname + started.search);
				const returned = await open(back(answer).href);
				expect(returned.headers.get('location')).toBe(`${site}/index.html`);
				const page = await open(`${site}/index.html`);
				expect([page.status, await page.text()]).toEqual([200, 'the wiki']);
			});
		},
		{ OIDC: 'on' }
	);
});
