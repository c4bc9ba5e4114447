export { isSecretField, mask, maskSecrets } from '../common/secretFields';
