require "net/http"
require "uri"

class AvatarFetcher
  TIMEOUT = 5

  def fetch(address)
    uri = URI(address)
    http = Net::HTTP.new(uri.host, uri.port)
    http.use_ssl = uri.scheme == "https"
    http.read_timeout = TIMEOUT
    response = http.request(Net::HTTP::Get.new(uri))
    response.body if response.is_a?(Net::HTTPSuccess)
  end
end

class AvatarsController < ApplicationController
  def create
    image = AvatarFetcher.new.fetch(params.require(:source))
    current_user.avatar.attach(io: StringIO.new(image), filename: "avatar.png")
    head :created
  end
end
