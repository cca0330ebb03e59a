/** What any endpoint of this stack costs before it does anything. */
export const GET = (): Response => Response.json({ ok: true });
