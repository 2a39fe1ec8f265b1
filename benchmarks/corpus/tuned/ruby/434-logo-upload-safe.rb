class LogosController < ApplicationController
  before_action :authenticate_user!

  TYPES = { "image/png" => ".png", "image/jpeg" => ".jpg" }.freeze

  def create
    upload = params.require(:logo)
    extension = TYPES[Marcel::MimeType.for(upload.tempfile)]
    return head :unsupported_media_type if extension.nil?

    File.binwrite(Rails.root.join("storage", "logos", SecureRandom.uuid + extension), upload.read)
    redirect_to settings_path
  end
end
