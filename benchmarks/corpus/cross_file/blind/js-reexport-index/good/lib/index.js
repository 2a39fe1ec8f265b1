export * from './images.js';
export { version } from './version.js';
