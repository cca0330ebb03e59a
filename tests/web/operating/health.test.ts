import { expect, test } from 'vitest';
import { requestPipeline } from '#lib/adapters/web/request-pipeline.ts';
import { respondTo } from '../../support/web/framework.ts';
import { aSite, ORIGIN, type Site } from '../../support/web/site.ts';

const check = async (path: string, method: string, changed: Partial<Site['app']> = {}) => {
	const { app } = await aSite();
	const handle = requestPipeline(() => ({ ...app, ...changed }));
	const request = new Request(ORIGIN + path, { method });
	const { response } = await respondTo(handle, request, '10.0.0.1');
	return [response.status, await response.text(), Object.fromEntries(response.headers)];
};

const HEADERS = { 'content-type': 'text/plain;charset=UTF-8' };
const OK = [200, 'ok\n', HEADERS];
const NOT_READY = [503, 'unavailable\n', { ...HEADERS, 'retry-after': '1' }];

test.each(['/healthz', '/readyz'])('%s answers any caller with one word', async (path) => {
	expect(await check(path, 'GET')).toEqual(OK);
	expect(await check(path, 'HEAD')).toEqual(OK);
	const refused = [405, 'method not allowed\n', { ...HEADERS, allow: 'GET, HEAD' }];
	expect(await check(path, 'POST')).toEqual(refused);
	expect((await check(`${path}/more`, 'GET'))[0]).toBe(303);
});

test('only readiness depends on the database, which may take one second to respond', async () => {
	const pingStore = () => Promise.reject(new Error('down'));
	expect(await check('/readyz', 'GET', { pingStore })).toEqual(NOT_READY);
	expect(await check('/healthz', 'GET', { pingStore })).toEqual(OK);
	const never = () => new Promise<void>(() => undefined);
	expect(await check('/readyz', 'GET', { pingStore: never })).toEqual(NOT_READY);
});

test('an instance that stops is not ready, and still alive', async () => {
	const isStopping = () => true;
	expect(await check('/readyz', 'GET', { isStopping })).toEqual(NOT_READY);
	expect(await check('/healthz', 'GET', { isStopping })).toEqual(OK);
});
