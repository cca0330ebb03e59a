/** An endpoint that does nothing: the cost of the framework alone. */
export const GET = (): Response => Response.json({ ok: true });
