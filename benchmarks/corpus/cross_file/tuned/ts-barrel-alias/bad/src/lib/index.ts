export * as files from './files';
