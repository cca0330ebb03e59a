import { createContext } from 'svelte';

/** The URL of this installation, for examples. Each guide page provides it in a context. */
export const [originHere, provideOrigin] = createContext<() => string>();
