/*
 * The entry point of the bundle that is read when the first Report Table opens: what shows a table. No
 * class of errors of the other layers may be in it, because `instanceof` tells them apart.
 */
export { TableDocument } from './tableDocument';
