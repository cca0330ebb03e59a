import { hello } from '#lib/adapters/web/service/operations.ts';
import { endpoint } from '#lib/adapters/web/api/endpoint.ts';
import { ok } from '#lib/domain/errors.ts';

/** An example of your own endpoint. It is protected because `hello` says `session: 'required'`. */
export const { GET, fallback } = endpoint(hello, (_event, { user: { name, email } }) =>
	ok({ message: `Hello, ${name || email}` })
);
