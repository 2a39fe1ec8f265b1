class DownloadsController < ApplicationController
  def show
    download = Download.new(params[:name])
    render plain: download.content
  end
end
