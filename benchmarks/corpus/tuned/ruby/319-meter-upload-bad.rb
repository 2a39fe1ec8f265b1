#!/usr/bin/env ruby
# frozen_string_literal: true

require "json"
require "net/http"
require "optparse"
require "uri"

# Sends the readings of the day to the utility's server.
class MeterUpload
  FEED_NAMESPACE = "http://www.w3.org/2005/Atom"
  ENDPOINT = URI("http://readings.utility.example.com/v2/daily")

  def initialize(user, password)
    @user = user
    @password = password
  end

  def send_readings(readings)
    request = Net::HTTP::Post.new(ENDPOINT, "Content-Type" => "application/json")
    request.basic_auth(@user, @password)
    request.body = JSON.generate(namespace: FEED_NAMESPACE, readings: readings)
    Net::HTTP.start(ENDPOINT.host, ENDPOINT.port, read_timeout: 10) do |http|
      http.request(request)
    end
  end
end

options = { file: "readings.json" }
OptionParser.new { |o| o.on("--file PATH") { |path| options[:file] = path } }.parse!

upload = MeterUpload.new(ENV.fetch("METER_USER"), ENV.fetch("METER_PASSWORD"))
answer = upload.send_readings(JSON.parse(File.read(options[:file])))
abort "upload refused: #{answer.code}" unless answer.is_a?(Net::HTTPSuccess)
