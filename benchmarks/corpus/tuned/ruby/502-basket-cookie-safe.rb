require 'rack'
require 'json'

module Shop
  class Basket
    attr_reader :lines

    def initialize(lines = {})
      @lines = lines
    end

    def add(sku, quantity)
      @lines[sku] = @lines.fetch(sku, 0) + quantity
    end

    def self.restore(encoded)
      return new if encoded.nil? || encoded.empty?

      raw = encoded.unpack1('m')
      data = JSON.parse(raw)
      data.is_a?(Hash) && data.values.all?(Integer) ? new(data) : new
    rescue JSON::ParserError
      new
    end

    def dump
      [JSON.generate(@lines)].pack('m0')
    end
  end

  class App
    def call(env)
      request = Rack::Request.new(env)
      basket = Basket.restore(request.cookies['basket'])
      basket.add(request.params['sku'].to_s, 1) if request.post? && request.params['sku']

      response = Rack::Response.new
      response.set_cookie('basket', value: basket.dump, httponly: true, secure: true, same_site: :strict)
      response['content-type'] = 'application/json'
      response.write(JSON.generate(items: basket.lines.size))
      response.finish
    end
  end
end
