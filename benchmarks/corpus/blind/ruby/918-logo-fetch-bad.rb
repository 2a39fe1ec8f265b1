require 'net/http'
require 'uri'

class SponsorLogosController < ApplicationController
  before_action :require_organiser

  LIMIT = 200_000

  def create
    uri = URI.parse(params.require(:logo_url))
    return head :unprocessable_entity unless uri.is_a?(URI::HTTPS)

    response = Net::HTTP.get_response(uri)
    return head :bad_gateway unless response.is_a?(Net::HTTPSuccess)
    return head :unprocessable_entity if response.body.bytesize > LIMIT

    current_event.sponsor_logos.create!(data: response.body)
    head :created
  rescue URI::InvalidURIError
    head :unprocessable_entity
  end
end
