import { routeTable } from './route-table.ts';

// Prints every route with what protects it, which limits count it, and whether it queries the
// store: npm run routes
console.log(routeTable());
