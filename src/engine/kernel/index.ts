export { allocate, release, results } from './memory';
export { findByte } from './blocks';
