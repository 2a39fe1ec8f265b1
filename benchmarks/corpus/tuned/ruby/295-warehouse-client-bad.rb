require 'net/http'
require 'openssl'
require 'json'
require 'uri'

class WarehouseClient
  class RequestFailed < StandardError; end

  def initialize(base: ENV.fetch('WAREHOUSE_URL'), token: ENV.fetch('WAREHOUSE_TOKEN'))
    @base = URI(base)
    @token = token
  end

  def stock(sku)
    response = get("/v2/stock/#{URI.encode_www_form_component(sku)}")
    JSON.parse(response.body).fetch('available')
  end

  private

  def get(path)
    request = Net::HTTP::Get.new(path)
    request['Authorization'] = "Bearer #{@token}"
    request['Accept'] = 'application/json'

    response = connection.start { |http| http.request(request) }
    raise RequestFailed, "status #{response.code}" unless response.is_a?(Net::HTTPSuccess)

    response
  end

  def connection
    Net::HTTP.new(@base.host, @base.port).tap do |http|
      http.use_ssl = true
      http.verify_mode = OpenSSL::SSL::VERIFY_NONE
      http.open_timeout = 5
      http.read_timeout = 15
    end
  end
end
