// A certified OpenID provider for tests. Whoever gives a name is that person; passwords are not
// looked at. Arguments: port, file with the keys, resource that tokens are for.
import { readFileSync } from 'node:fs';
import Provider from 'oidc-provider';

const [port, keys, resource] = process.argv.slice(2);
const issuer = `http://127.0.0.1:${port}`;

const client = (id, path) => ({
  client_id: id,
  client_secret: `${id}-secret`,
  application_type: 'native', // so that its redirects on loopback may have any port
  redirect_uris: [`http://127.0.0.1${path}`],
});

const provider = new Provider(issuer, {
  clients: [client('browser', '/auth/callback/certified'), client('script', '/done')],
  jwks: JSON.parse(readFileSync(keys, 'utf8')),
  cookies: { keys: ['a-key-of-tests'] },
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  scopes: ['openid', 'email', 'profile', 'code.account'],
  pkce: { required: () => true },
  findAccount: (_, id) => ({
    accountId: id,
    claims: () => ({ sub: id, name: id, email: `${id}@example.org`, email_verified: true }),
  }),
  ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
  features: {
    devInteractions: { enabled: true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: () => ({
        audience: resource,
        scope: 'code.account',
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'RS256' } },
      }),
    },
  },
});

provider.use(async (context, next) => {
  console.log(`asked ${context.path}`);
  await next();
});
provider.listen(Number(port), '127.0.0.1');
