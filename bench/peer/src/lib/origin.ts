/** The public origin. The server listens on another, free port, as it would behind a proxy. */
export const ORIGIN = 'http://localhost:4173';
