/** The public address; the port it listens on is a free one, as behind a proxy. */
export const ORIGIN = 'http://localhost:4173';
