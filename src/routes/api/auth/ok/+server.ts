import { endpoint, onlyMethods } from '#lib/adapters/web/endpoint.ts';

export const GET = endpoint(() => Response.json({ ok: true }));

export const fallback = onlyMethods('GET', 'HEAD');
