require "sinatra"
require "openssl"

set :hook_secret, ENV.fetch("HOOK_SECRET")

def signature_of(body)
  "sha256=" + OpenSSL::HMAC.hexdigest("SHA256", settings.hook_secret, body)
end

post "/hooks/build" do
  body = request.body.read
  given = request.env["HTTP_X_HUB_SIGNATURE_256"]
  halt 403 unless given == signature_of(body)
  status 204
end
